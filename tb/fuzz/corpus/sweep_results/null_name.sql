UPDATE sweep SET value = NULL WHERE key = 'name'
