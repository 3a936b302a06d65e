-- Columns of the crawl and of certificate notices named after what they hold. Only renames: instant on any database.
ALTER TABLE infrastructure.model_version RENAME COLUMN look TO poll_number;
ALTER TABLE infrastructure.model_tag RENAME COLUMN look TO poll_number;
ALTER TABLE infrastructure.model_crawl RENAME COLUMN first_look TO first_poll_number;
ALTER TABLE infrastructure.model_crawl RENAME COLUMN done_until TO last_repository;
ALTER TABLE infrastructure.model_crawl RENAME COLUMN holder TO lease_holder;
ALTER TABLE infrastructure.model_crawl RENAME COLUMN held_until TO lease_expires_at;
ALTER TABLE infrastructure.model_crawl RENAME COLUMN is_due TO is_requested;
ALTER SEQUENCE infrastructure.model_look RENAME TO model_poll;
ALTER TABLE infrastructure.overlay_certificate RENAME COLUMN told_due_of TO renewal_notified_for;
ALTER TABLE infrastructure.overlay_certificate RENAME COLUMN told_end_of TO expiry_notified_for;
