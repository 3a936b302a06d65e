-- How often joining was refused lately, by the network that tried. A new table.
CREATE TABLE network.join_refusal (
  origin text PRIMARY KEY,
  since timestamptz NOT NULL,
  refused integer NOT NULL
);
CREATE INDEX join_refusal_since ON network.join_refusal (since);
