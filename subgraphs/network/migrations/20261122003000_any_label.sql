-- The label of a peer is any text. Checks every peer once, hundreds of thousands a second.
ALTER TABLE network.peer
  DROP CONSTRAINT peer_label_check,
  ADD CONSTRAINT peer_label_check CHECK (char_length(label) BETWEEN 1 AND 100);
