-- model: The number of a model, and what tells its vectors from those of another database.
SELECT no, stamp FROM palaver.models WHERE identity = %s;

-- add_model: A model, unless it is there already.
INSERT INTO palaver.models (identity, dimensions) VALUES (%s, %s) ON CONFLICT DO NOTHING;

-- plan: Every statement is planned for its values: for one part of the table, and for the graph that
-- only these values have. A graph goes on until it has found enough.
SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
       set_config('hnsw.ef_search', %s, true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true);

-- put: Vectors, unless they are there already; in order, so that nobody waits crosswise.
INSERT INTO palaver.vectors (owner, model, short, key, vector)
SELECT palaver.me(), %(model)s, n.short, n.key, n.vector::halfvec({dimensions})
FROM unnest(%(shorts)s::bigint[], %(keys)s::bytea[], %(vectors)s::text[]) AS n (short, key, vector)
ORDER BY n.short, n.key
ON CONFLICT DO NOTHING;

-- delete: The vectors of every model.
DELETE FROM palaver.vectors AS v
USING unnest(%(shorts)s::bigint[], %(keys)s::bytea[]) AS n (short, key)
WHERE v.owner = palaver.me() AND v.owner = %(owner)s::bigint
    AND v.short = ANY (%(shorts)s::bigint[]) AND v.short = n.short AND v.key = n.key;

-- keys: Every key, of whatever model.
SELECT key FROM palaver.vectors WHERE owner = palaver.me() AND owner = %(owner)s::bigint;

-- counts: How many vectors there are of each model.
SELECT m.identity, count(*)
FROM palaver.vectors AS v JOIN palaver.models AS m ON m.no = v.model
WHERE v.owner = palaver.me() AND v.owner = %(owner)s::bigint
GROUP BY m.no;

-- holds: Which of some keys are there.
SELECT short FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
    AND short = ANY (%(keys)s::bigint[]);

-- cosines: How near some are: keys and cosines, eight bytes each.
SELECT string_agg(int8send(short) || float8send(1 - (vector <=> %(query)s::halfvec)), ''::bytea)
FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
    AND short = ANY (%(keys)s::bigint[]);

-- vectors: Some of them: eight bytes of a key, then two for each dimension.
SELECT string_agg(int8send(short) || substring(halfvec_send(vector) FROM 5), ''::bytea)
FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
    AND short = ANY (%(keys)s::bigint[]);

-- every_sign: The sign of each dimension of all, as bits behind their keys; in a few parts.
SELECT string_agg(int8send(short) || substring(bit_send(binary_quantize(vector)) FROM 5), ''::bytea)
FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
GROUP BY short & 63;

-- some_signs: The same of some.
SELECT string_agg(int8send(short) || substring(bit_send(binary_quantize(vector)) FROM 5), ''::bytea)
FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
    AND short = ANY (%(keys)s::bigint[])
GROUP BY short & 63;

-- nearest: The nearest of all.
SELECT short, 1 - (vector::halfvec({dimensions}) <=> %(query)s::halfvec({dimensions}))
FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
ORDER BY vector::halfvec({dimensions}) <=> %(query)s::halfvec({dimensions})
LIMIT %(count)s;

-- nearest_among: The nearest of those of some keys; the server knows from how many on a graph helps.
SELECT short, 1 - (vector::halfvec({dimensions}) <=> %(query)s::halfvec({dimensions}))
FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
    AND short = ANY (%(keys)s::bigint[])
ORDER BY vector::halfvec({dimensions}) <=> %(query)s::halfvec({dimensions})
LIMIT %(count)s;

-- nearest_of_these: The same, written so that no graph answers it.
SELECT short, 1 - (vector <=> %(query)s::halfvec) FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint
    AND short = ANY (%(keys)s::bigint[])
ORDER BY vector <=> %(query)s::halfvec
LIMIT %(count)s;

-- graphs: Each model, whether its graph is whole if there is one, and how many vectors the user has.
-- They are counted up to a limit.
SELECT m.no, m.identity, m.dimensions, i.indisvalid, (
    SELECT count(*) FROM (
        SELECT FROM palaver.vectors
        WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = m.no
        LIMIT %(most)s
    ) AS counted
)
FROM palaver.models AS m
LEFT JOIN pg_index AS i
    ON i.indexrelid = to_regclass(format('palaver.vectors_near_%%s_%%s', palaver.me(), m.no));

-- part: The part of the table in which the vectors of the user are, and how many there are of a model.
SELECT max(tableoid)::regclass::text, count(*) FROM palaver.vectors
WHERE owner = palaver.me() AND owner = %(owner)s::bigint AND model = %(model)s::smallint;

-- lock_graphs: Lets one at a time see to the graphs of a user, unless somebody does already.
SELECT pg_try_advisory_lock(hashtextextended('palaver.vectors', %s::bigint));

-- graph_limits: It may take as long as it takes, in memory, and beside other work.
SELECT set_config('statement_timeout', '0', false),
       set_config('lock_timeout', '600s', false),
       set_config('max_parallel_maintenance_workers', '0', false),
       set_config('maintenance_work_mem', %s, false);

-- make_graph: Without keeping anybody from writing.
CREATE INDEX CONCURRENTLY vectors_near_{owner}_{model} ON {part}
USING hnsw ((vector::halfvec({dimensions})) halfvec_cosine_ops)
WHERE owner = {owner}::bigint AND model = {model}::smallint;

-- drop_graph: Also one that was not finished.
DROP INDEX CONCURRENTLY IF EXISTS palaver.vectors_near_{owner}_{model};

-- cancel: Stops what a process of the server is doing.
SELECT pg_cancel_backend(%s);
