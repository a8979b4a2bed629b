#!/bin/sh
# Who uses whom: no folder of src uses one of a later layer.
exec sh scripts/check_layers
