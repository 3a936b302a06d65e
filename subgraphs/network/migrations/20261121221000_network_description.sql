-- What a network is for, in its owner's words. Adds a nullable column: instant on any database.
ALTER TABLE network.network ADD COLUMN description text CHECK (length(description) <= 512);
