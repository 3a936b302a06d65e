-- The index of an OCI registry: what it holds of models. Creates tables only: instant on any database.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

-- Whose a project is. A project without a row is nobody's and public.
CREATE TABLE infrastructure.model_project (
  project text COLLATE "C" PRIMARY KEY,
  owner_user_id integer,
  is_public boolean NOT NULL
);
CREATE INDEX model_project_owner ON infrastructure.model_project (owner_user_id);

CREATE TABLE infrastructure.model_repository (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project text COLLATE "C" NOT NULL,
  repo text COLLATE "C" NOT NULL,
  -- The crawl that looked at it last.
  crawl bigint NOT NULL DEFAULT 0,
  CONSTRAINT model_repository_name UNIQUE (project, repo)
);

-- Looks into the registry in the order in which they begin: what a later one saw is newer.
CREATE SEQUENCE infrastructure.model_look;

CREATE TABLE infrastructure.model_version (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository_id integer NOT NULL REFERENCES infrastructure.model_repository ON DELETE CASCADE,
  digest text COLLATE "C" NOT NULL,
  packaging text NOT NULL CHECK (packaging IN ('modelpack', 'kitops', 'docker', 'plain')),
  format text COLLATE "C",
  architecture text COLLATE "C",
  quantization text COLLATE "C",
  parameter_count bigint CHECK (parameter_count > 0),
  total_size_bytes bigint NOT NULL CHECK (total_size_bytes >= 0),
  -- What free text is looked for in, in lower case.
  search_text text COLLATE "C" NOT NULL,
  indexed_at timestamptz NOT NULL,
  look bigint NOT NULL,
  CONSTRAINT model_version_digest UNIQUE (repository_id, digest)
);
CREATE INDEX model_version_newest ON infrastructure.model_version (repository_id, indexed_at DESC, id DESC);
CREATE INDEX model_version_format ON infrastructure.model_version (format);
CREATE INDEX model_version_architecture ON infrastructure.model_version (architecture);
CREATE INDEX model_version_quantization ON infrastructure.model_version (quantization);
CREATE INDEX model_version_parameters ON infrastructure.model_version (parameter_count);
CREATE INDEX model_version_text ON infrastructure.model_version USING gin (search_text public.gin_trgm_ops);

-- Beside the version, so that lists read narrow rows.
CREATE TABLE infrastructure.model_content (
  version_id bigint PRIMARY KEY REFERENCES infrastructure.model_version ON DELETE CASCADE,
  files jsonb NOT NULL
);

CREATE TABLE infrastructure.model_tag (
  repository_id integer NOT NULL REFERENCES infrastructure.model_repository ON DELETE CASCADE,
  tag text COLLATE "C" NOT NULL,
  -- What it names in the registry; null: nothing any more, which is kept until no older look can say otherwise.
  digest text COLLATE "C",
  -- Null where that is no model.
  version_id bigint REFERENCES infrastructure.model_version ON DELETE SET NULL (version_id),
  look bigint NOT NULL,
  PRIMARY KEY (repository_id, tag)
);
CREATE INDEX model_tag_version ON infrastructure.model_tag (version_id);

-- The crawl that goes on, or the last one; a single row.
CREATE TABLE infrastructure.model_crawl (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  number bigint NOT NULL DEFAULT 0,
  -- The look with which it began: what is older and was not seen again is gone.
  first_look bigint NOT NULL DEFAULT 0,
  -- Page of the catalogue it is at; null: the first, or past the last.
  page text,
  -- The repository of that page that was done last.
  done_until text,
  is_catalogue_done boolean NOT NULL DEFAULT false,
  -- Null while it goes on.
  finished_at timestamptz,
  -- One more was asked for.
  is_due boolean NOT NULL DEFAULT false,
  -- Who crawls, and until when others leave it alone.
  holder uuid,
  held_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO infrastructure.model_crawl (finished_at) VALUES ('-infinity');
