-- How many of a user's referrals were rewarded, and how much one may earn. Adds a column with a constant and counts what was
-- rewarded before: seconds for a million users.

ALTER TABLE accounts.user ADD COLUMN rewarded_referrals integer NOT NULL DEFAULT 0;
UPDATE accounts.user SET rewarded_referrals = before.count
  FROM (SELECT new.referred_by AS id, count(*)::integer AS count
          FROM accounts.user new JOIN accounts.transfer t ON t.source = 'referral' AND t.kind = 'referrer' AND t.reference = new.id::text
         GROUP BY new.referred_by) before
 WHERE before.id = accounts.user.id;

UPDATE accounts.referral_reward SET credits = least(credits, 1000);
ALTER TABLE accounts.referral_reward ADD CONSTRAINT referral_reward_bounded CHECK (credits <= 1000);
