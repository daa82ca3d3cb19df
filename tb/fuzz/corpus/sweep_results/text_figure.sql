UPDATE runs SET drops = 'many'
