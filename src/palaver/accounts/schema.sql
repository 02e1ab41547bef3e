-- tokens: What programs show to use the API; only a digest of each secret is kept.
CREATE TABLE IF NOT EXISTS tokens (
    id        TEXT PRIMARY KEY,
    digest    BLOB NOT NULL UNIQUE,
    name      TEXT NOT NULL,
    user      TEXT NOT NULL,
    scopes    TEXT NOT NULL,
    created   TEXT NOT NULL,
    expires   TEXT,
    last_used TEXT,
    revoked   TEXT
) STRICT;

-- sign_ins: Browsers that are signed in; only a digest of each cookie is kept.
CREATE TABLE IF NOT EXISTS sign_ins (
    digest  BLOB PRIMARY KEY,
    user    TEXT NOT NULL,
    created TEXT NOT NULL,
    expires TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- links: Sign-in links that were not used yet; only a digest of each code is kept.
CREATE TABLE IF NOT EXISTS links (
    digest  BLOB PRIMARY KEY,
    user    TEXT NOT NULL,
    expires TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- users: Those who have an account; of a password only a hash is kept, of who was removed the id.
CREATE TABLE IF NOT EXISTS users (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    folded   TEXT UNIQUE,
    password TEXT,
    created  TEXT NOT NULL,
    removed  TEXT
) STRICT, WITHOUT ROWID;

-- version: Marks the file as this schema's.
PRAGMA user_version = 3;
