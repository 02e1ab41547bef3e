-- How often credentials have ended: whoever lets somebody stay looks whether it has moved.

CREATE TABLE palaver.credentials (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    ended bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE palaver.credentials IS 'One row; it moves with whatever ends a token or a sign-in.';
INSERT INTO palaver.credentials DEFAULT VALUES;

CREATE FUNCTION palaver.credentials_ended() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE palaver.credentials SET ended = ended + 1;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION palaver.credentials_ended() IS 'Part of the change itself: seen with it, or not at all.';

-- At the commit: whoever holds the one row waits for nobody any more, so no two wait for each other.
CREATE CONSTRAINT TRIGGER revoked AFTER UPDATE OF revoked ON palaver.tokens
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (OLD.revoked IS DISTINCT FROM NEW.revoked)
EXECUTE FUNCTION palaver.credentials_ended();

CREATE CONSTRAINT TRIGGER removed AFTER DELETE ON palaver.tokens
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION palaver.credentials_ended();

CREATE CONSTRAINT TRIGGER signed_out AFTER DELETE ON palaver.sign_ins
DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION palaver.credentials_ended();
