-- One look-up after another: person1 to personN@example.org in a fixed shuffle, with the token. Arguments: path, token, N.
dofile((debug.getinfo(1, 'S').source:sub(2):gsub('[^/]*$', '')) .. 'load.lua')

local path, token, people, at

init = function(arguments)
  path, token, people, at = arguments[1], arguments[2], tonumber(arguments[3]), 0
end

request = function()
  -- 7919 is prime: every person comes once before any is repeated.
  at = (at + 7919) % people
  return wrk.format('GET', path .. '?email=person' .. (at + 1) .. '%40example.org', { Authorization = 'Bearer ' .. token })
end
