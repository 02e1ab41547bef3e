-- The second wall: whatever a statement forgets to say, it sees and writes the rows of those alone for
-- whom its transaction acts. The server enforces it for every role but superusers and BYPASSRLS.

CREATE FUNCTION palaver.ours() RETURNS bigint[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN array_append(
    nullif(current_setting('palaver.owners', true), '')::bigint[],
    CASE
        WHEN current_setting('palaver.owner', true) NOT IN ('', '*', 'backup')
        THEN current_setting('palaver.owner', true)::bigint
    END
);
COMMENT ON FUNCTION palaver.ours() IS 'For whom this transaction acts; nobody when it is not said.';

CREATE FUNCTION palaver.says(word text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('palaver.owner', true) = word, false);
COMMENT ON FUNCTION palaver.says(text) IS
    'Whether this transaction says instead of a user: * when it looks for what is due, or for whom '
    'credentials are; backup when it takes everything away.';

CREATE FUNCTION palaver.raise_wall(place regclass, everybody_may text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- As a CASE it is asked once for each row, and keeps nobody from planning with what a statement
    -- says itself.
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', place);
    EXECUTE format(
        'CREATE POLICY ours ON %s USING ('
        'CASE WHEN owner = ANY ((SELECT palaver.ours())::bigint[]) THEN true END)', place
    );
    IF everybody_may <> 'NOTHING' THEN
        EXECUTE format(
            'CREATE POLICY everybody ON %s FOR %s USING ((SELECT palaver.says(''*'')))',
            place, everybody_may
        );
    END IF;
END $$;
COMMENT ON FUNCTION palaver.raise_wall(regclass, text) IS
    'Raises it round a table that says whose its rows are; who looks for everybody may do no more '
    'than is said.';

-- Credentials are looked up before anybody knows whose they are, and it is looked for replies of nodes
-- that died, whoever waited for them; what there is of the replies is not seen.
DO $$
DECLARE
    place record;
BEGIN
    FOR place IN
        SELECT c.oid::regclass AS name, CASE
            WHEN c.relname IN ('people', 'tokens', 'sign_ins', 'links') THEN 'ALL'
            WHEN c.relname = 'replies' THEN 'SELECT'
            ELSE 'NOTHING'
        END AS everybody_may
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'palaver'::regnamespace AND c.relkind IN ('r', 'p')
            AND a.attname = 'owner' AND NOT a.attisdropped
    LOOP
        PERFORM palaver.raise_wall(place.name, place.everybody_may);
        EXECUTE format(
            'CREATE POLICY backup ON %s FOR SELECT USING ((SELECT palaver.says(''backup'')))',
            place.name
        );
    END LOOP;
END $$;
