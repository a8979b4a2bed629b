#!/bin/sh
# Which folder uses which: none of src uses one of a later layer.
exec sh scripts/check_layers
