-- version: which schema this is
PRAGMA user_version;

-- info: which file this is, and how often it was written
SELECT stamp, change FROM info WHERE one = 1;

-- count_change: others see that there is something new
UPDATE info SET change = change + 1 WHERE one = 1;

-- models: every model
SELECT identity, dimensions FROM models ORDER BY no;

-- add_model: a model, unless it is there already
INSERT OR IGNORE INTO models (identity, dimensions) VALUES (?, ?);

-- counts: how many vectors there are of each model
SELECT identity, coalesce(sum(used), 0)
FROM models LEFT JOIN blocks ON blocks.model = models.no
GROUP BY models.no;

-- changed: the blocks of a model that were written after a change, in order
SELECT block, seal, keys, codes
FROM contents
WHERE block IN (
    SELECT no FROM blocks
    WHERE model = (SELECT no FROM models WHERE identity = ?) AND change > ?
)
ORDER BY block;

-- keys: the keys of every block, of whatever model
SELECT keys FROM contents;

-- content: the keys and the codes of some blocks
SELECT block, seal, keys, codes FROM contents WHERE block IN (SELECT value FROM json_each(?));

-- add_block: room for more vectors
INSERT INTO blocks (model, used, change)
SELECT no, 0, 0 FROM models WHERE identity = ? RETURNING no;

-- add_content: the room for their keys and codes
INSERT INTO contents (seal, keys, codes, block) VALUES (?, ?, ?, ?);

-- add_slot: the room for one vector
INSERT INTO vectors (slot, vector) VALUES (?, zeroblob(?));

-- set_block: how much of a block is used
UPDATE blocks SET used = ?, change = (SELECT change FROM info) WHERE no = ?;

-- set_content: keys and codes, as many bytes as before
UPDATE contents SET seal = ?, keys = ?, codes = ? WHERE block = ?;

-- set_vector: a vector, as many bytes as before
UPDATE vectors SET vector = ? WHERE slot = ?;

-- vectors: some vectors
SELECT slot, vector FROM vectors WHERE slot IN (SELECT value FROM json_each(?));
