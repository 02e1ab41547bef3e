-- The people: those who sign in by a name, and of their passwords what is kept.

ALTER TABLE palaver.users ADD COLUMN removed text COLLATE "C";
COMMENT ON COLUMN palaver.users.removed IS 'When the account was removed: no credentials since then.';

CREATE TABLE palaver.people (
    owner bigint PRIMARY KEY REFERENCES palaver.users (no),
    name text NOT NULL,
    folded text COLLATE "C" NOT NULL UNIQUE,
    password text,
    created text COLLATE "C" NOT NULL
);
COMMENT ON COLUMN palaver.people.folded IS 'The name as it is compared: NFKC, without regard to case.';
COMMENT ON COLUMN palaver.people.password IS 'An argon2id hash; NULL for those who have tokens only.';
