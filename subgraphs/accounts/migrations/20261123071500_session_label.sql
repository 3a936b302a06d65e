-- What a session is called: the program that began it, and a name that its user chooses. Adds empty columns: instant on any
-- database.

ALTER TABLE accounts.session
  ADD COLUMN user_agent text CHECK (char_length(user_agent) <= 300),
  ADD COLUMN label text CHECK (char_length(label) BETWEEN 1 AND 100);
