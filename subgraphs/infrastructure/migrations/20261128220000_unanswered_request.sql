-- Until when a request to Proxmox may still be answered. Adds a column without a default: instant.

-- A process of an earlier version does not know it, and sends the request again as before.
ALTER TABLE infrastructure.hosted_machine ADD COLUMN unanswered_until timestamptz;
