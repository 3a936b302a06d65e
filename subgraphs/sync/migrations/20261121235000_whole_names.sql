-- Files are ordered by their whole names. Rewrites the rows of names that were cut short: few, as names seldom have 600 characters.

UPDATE sync.file_search s SET file_name = f.file_name FROM sync.file f WHERE f.id = s.file_id AND length(s.file_name) = 600;
