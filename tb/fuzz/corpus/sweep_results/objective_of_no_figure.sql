UPDATE objectives SET figure = 'nope'
