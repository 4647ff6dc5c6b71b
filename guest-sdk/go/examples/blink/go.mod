module choreography

go 1.24
