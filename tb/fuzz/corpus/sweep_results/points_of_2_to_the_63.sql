UPDATE sweep SET value = 9223372036854775807 WHERE key = 'points'
