-- Buckets and sub-tokens are found by their user first: the key (user_id, id) that others refer to becomes the primary key, and the
-- key of the id alone goes. The name of a bucket and the key id of a sub-token stay unique over all users. Builds the keys once,
-- hundreds of thousands of rows a second.

ALTER TABLE infrastructure.sub_token_bucket
  DROP CONSTRAINT sub_token_bucket_token,
  DROP CONSTRAINT sub_token_bucket_bucket,
  DROP CONSTRAINT sub_token_bucket_pkey,
  ADD PRIMARY KEY (user_id, sub_token_id, bucket_id);
ALTER TABLE infrastructure.sub_token DROP CONSTRAINT sub_token_parent;
ALTER TABLE infrastructure.sub_token DROP CONSTRAINT sub_token_of_user, DROP CONSTRAINT sub_token_pkey, ADD PRIMARY KEY (user_id, id);
ALTER TABLE infrastructure.bucket DROP CONSTRAINT bucket_of_user, DROP CONSTRAINT bucket_pkey, ADD PRIMARY KEY (user_id, id);
ALTER TABLE infrastructure.sub_token
  ADD CONSTRAINT sub_token_parent FOREIGN KEY (user_id, parent_id) REFERENCES infrastructure.sub_token;
ALTER TABLE infrastructure.sub_token_bucket
  ADD CONSTRAINT sub_token_bucket_token FOREIGN KEY (user_id, sub_token_id) REFERENCES infrastructure.sub_token,
  ADD CONSTRAINT sub_token_bucket_bucket FOREIGN KEY (user_id, bucket_id) REFERENCES infrastructure.bucket;
