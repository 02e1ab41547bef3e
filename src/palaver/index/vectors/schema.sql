-- Slots are laid out a block at a time, full of zeros, and from then on only overwritten with as
-- many bytes: SQLite moves nothing about in the file, so what is erased leaves no copy behind.
-- Whoever changes anything here raises VERSION.

-- models: whose vectors there are
CREATE TABLE models (
    no INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
) STRICT;

-- blocks: 256 slots each, all of one model; change is that of the file when it was last written
CREATE TABLE blocks (
    no INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,
    used INTEGER NOT NULL,
    change INTEGER NOT NULL
) STRICT;
CREATE INDEX blocks_changed ON blocks (model, change);

-- contents: the keys and the codes of a block together, so that loading is fast; seal is their sum
CREATE TABLE contents (
    block INTEGER PRIMARY KEY,
    seal BLOB NOT NULL,
    keys BLOB NOT NULL,
    codes BLOB NOT NULL
) STRICT;

-- vectors: slot is the number of the block × 256 + the place in it
CREATE TABLE vectors (
    slot INTEGER PRIMARY KEY,
    vector BLOB NOT NULL
) STRICT;

-- info: stamp tells this file from every other, change counts what was written
CREATE TABLE info (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    stamp BLOB NOT NULL,
    change INTEGER NOT NULL
) STRICT;
INSERT INTO info VALUES (1, randomblob(16), 0);
