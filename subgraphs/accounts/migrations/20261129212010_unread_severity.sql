-- Validates the check, which reads the table while it is used. Then sets the severity of unread notifications that were known by their titles,
-- by the index of unread notifications; locks the changed rows.

ALTER TABLE accounts.notification VALIDATE CONSTRAINT notification_severity;

UPDATE accounts.notification SET own_severity = 'warning'
 WHERE read_at IS NULL
   AND (kind = 'payment' AND title IN ('Payment failed', 'Payment refunded or disputed', 'A payment needs a decision')
        OR kind = 'peer' AND title LIKE '%certificate that ends soon%');

UPDATE accounts.notification SET own_severity = 'critical'
 WHERE read_at IS NULL
   AND (kind = 'machine' AND title LIKE '% has failed'
        OR kind = 'account' AND title IN ('Your overlay certificate has expired', 'Another wallet proved ownership of your SS58 address'));
