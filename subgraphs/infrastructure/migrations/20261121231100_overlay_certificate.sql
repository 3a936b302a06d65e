-- Overlay certificates of users, as network issues them. A new table: instant on any database.

CREATE TABLE infrastructure.overlay_certificate (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What network knows it by: the same is the same certificate, however often it is asked for.
  reference uuid NOT NULL UNIQUE,
  user_id integer NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'active', 'revoking', 'revoked')),
  -- x25519, 32 bytes; its other half is sealed, or null where only the holder has it or nobody needs it any more.
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  sealed_key text,
  is_own_key boolean NOT NULL,
  key_number integer NOT NULL DEFAULT 1,
  -- A key of the holder's that takes the place of the one before as soon as network has issued a certificate for it.
  wanted_key bytea CHECK (length(wanted_key) = 32),
  ip text,
  expires_at timestamptz,
  -- The end of which the owner was told that renewal is due, and that it has come.
  told_due_of timestamptz,
  told_end_of timestamptz,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);
-- However many ask at once, one is made.
CREATE UNIQUE INDEX overlay_certificate_of_user ON infrastructure.overlay_certificate (user_id) WHERE state IN ('pending', 'active');
CREATE INDEX overlay_certificate_by_user ON infrastructure.overlay_certificate (user_id, id);
CREATE INDEX overlay_certificate_on_the_way ON infrastructure.overlay_certificate (id)
  WHERE state IN ('pending', 'revoking') OR wanted_key IS NOT NULL;
