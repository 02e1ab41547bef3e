-- Half a copy is not used: whoever commits, and whoever opens, looks here first.

ALTER TABLE palaver.users ADD COLUMN copying boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN palaver.users.copying IS 'A copy to this user was begun and is not finished.';
