ALTER TABLE runs ADD COLUMN a AS (drops + 1)
