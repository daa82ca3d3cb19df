UPDATE runs SET scenario = NULL
