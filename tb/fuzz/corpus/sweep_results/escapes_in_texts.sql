UPDATE sweep SET value = char(27) || '[2J' || char(0) || 'x'; UPDATE axes SET axis = char(155); UPDATE axis_values SET axis = char(155)
