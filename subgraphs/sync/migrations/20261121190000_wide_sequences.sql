-- Sequences of 64 bits without a sign, as clients count them. Rewrites the files: a minute for ten million of them.

ALTER TABLE sync.file ALTER COLUMN revision_seq TYPE numeric(20, 0);
ALTER TABLE sync.file ADD CONSTRAINT file_sequence CHECK (revision_seq <= 18446744073709551615);
