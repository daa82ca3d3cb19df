DELETE FROM objectives
