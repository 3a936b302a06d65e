-- Models pushed in chunks are downloaded by another tool. The check reads the whole table once, a row for each version of a model.
ALTER TABLE infrastructure.model_version DROP CONSTRAINT model_version_packaging_check,
  ADD CONSTRAINT model_version_packaging_check
      CHECK (packaging IN ('modelpack', 'kitops', 'docker', 'chunked', 'plain'));
