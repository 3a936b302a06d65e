-- Pages of the catalogue that the crawl has read: a list without end is left. One row: instant.

ALTER TABLE infrastructure.model_crawl ADD COLUMN pages integer NOT NULL DEFAULT 0;
