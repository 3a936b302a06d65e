-- The list of users of administrators: search by a part of a name or address, and filter by role. Builds six indexes under a lock
-- that stops sign-ups and changes of users: minutes for a million users (not measured).

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE INDEX user_search ON accounts.user USING gin
  (lower(username) public.gin_trgm_ops, lower(email) public.gin_trgm_ops, lower(substrate_address) public.gin_trgm_ops);
-- In the order of the list: PostgreSQL keeps no statistics of roles that few have.
CREATE INDEX user_validator ON accounts.user (id) WHERE roles @> '{VALIDATOR}';
CREATE INDEX user_admin ON accounts.user (id) WHERE roles @> '{ADMIN}';
CREATE INDEX user_marketing ON accounts.user (id) WHERE roles @> '{MARKETING}';
CREATE INDEX user_superuser ON accounts.user (id) WHERE roles @> '{SUPERUSER}';
CREATE INDEX user_beta ON accounts.user (id) WHERE roles @> '{BETA}';
