-- The list of balances: an index of the users with an SS58 address in the order of the list, and their number. It is kept in 64 parts, so that
-- users who sign in at once seldom wait for each other. Counts the users once and builds an index, under a lock that stops sign-ups.

CREATE TABLE accounts.address_count (
  part smallint PRIMARY KEY,
  count bigint NOT NULL
);

LOCK TABLE accounts.user IN SHARE ROW EXCLUSIVE MODE;
CREATE INDEX user_with_address ON accounts.user (id) WHERE substrate_address IS NOT NULL;
INSERT INTO accounts.address_count (part, count)
SELECT part, coalesce(counted.count, 0) FROM generate_series(0, 63) part
  LEFT JOIN (SELECT id % 64 AS part, count(*) FROM accounts.user WHERE substrate_address IS NOT NULL GROUP BY 1) counted USING (part);

CREATE FUNCTION accounts.count_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.substrate_address IS NOT NULL THEN
    UPDATE accounts.address_count SET count = count - 1 WHERE part = OLD.id % 64;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.substrate_address IS NOT NULL THEN
    UPDATE accounts.address_count SET count = count + 1 WHERE part = NEW.id % 64;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER address_added AFTER INSERT ON accounts.user
  FOR EACH ROW WHEN (NEW.substrate_address IS NOT NULL) EXECUTE FUNCTION accounts.count_addresses();
CREATE TRIGGER address_changed AFTER UPDATE OF substrate_address ON accounts.user
  FOR EACH ROW WHEN ((OLD.substrate_address IS NULL) <> (NEW.substrate_address IS NULL)) EXECUTE FUNCTION accounts.count_addresses();
-- No code deletes users; the counter stays right for an operator who does.
CREATE TRIGGER address_removed AFTER DELETE ON accounts.user
  FOR EACH ROW WHEN (OLD.substrate_address IS NOT NULL) EXECUTE FUNCTION accounts.count_addresses();
