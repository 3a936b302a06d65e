-- Referral codes and what they earn. Rewrites accounts.user once, as each row gets a code of its own: seconds for a million.

ALTER TABLE accounts.user
  ADD COLUMN referral_code text NOT NULL UNIQUE DEFAULT substr(md5(gen_random_uuid()::text), 1, 16),
  ADD COLUMN referred_by integer REFERENCES accounts.user;

CREATE TABLE accounts.referral_reward (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  credits numeric(38,18) NOT NULL DEFAULT 0 CHECK (credits >= 0)
);
INSERT INTO accounts.referral_reward DEFAULT VALUES;
