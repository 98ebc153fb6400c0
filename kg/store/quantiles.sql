-- Macros that the views need.
CREATE MACRO between_values(low, high, part) AS
    CASE WHEN part = 0 OR low = high THEN low ELSE round(low + (high - low) * part, 6) END;
COMMENT ON MACRO between_values IS
    'The value that lies `part` of the way from low to high, to the microsecond.';

CREATE MACRO rank_of(ordered, share) AS share::DOUBLE * (len(ordered) - 1);
COMMENT ON MACRO rank_of IS 'Where a quantile of an ascending list lies, counted from 0.';

CREATE MACRO quantile_of(ordered, share) AS between_values(
    ordered[floor(rank_of(ordered, share))::BIGINT + 1],
    ordered[least(floor(rank_of(ordered, share))::BIGINT + 2, len(ordered))],
    rank_of(ordered, share) - floor(rank_of(ordered, share))
);
COMMENT ON MACRO quantile_of IS
    'The quantile of an ascending list, by linear interpolation between ranks (type 7 of Hyndman '
    'and Fan 1996).';
