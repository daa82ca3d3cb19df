UPDATE runs SET point = -1 WHERE point = 3
