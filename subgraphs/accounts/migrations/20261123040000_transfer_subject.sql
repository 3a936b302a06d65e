-- What a transfer is about, so that the charges of a machine or a payment can be listed. Builds an index: about a second for a
-- million transfers, during which nothing can be posted.

-- The uuid of a machine, the id of a transaction, or the reference of a day of storage; null: none of them.
CREATE FUNCTION accounts.transfer_subject(source text, reference text, link text) RETURNS text IMMUTABLE LANGUAGE sql
RETURN CASE source WHEN 'vm' THEN split_part(link, ':', 1) WHEN 'storage' THEN reference WHEN 'payment' THEN link
  WHEN 'deposit' THEN link END;

CREATE INDEX transfer_subject ON accounts.transfer (accounts.transfer_subject(source, reference, link), id)
  WHERE accounts.transfer_subject(source, reference, link) IS NOT NULL;
