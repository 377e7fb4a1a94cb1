"""The events layout (`layout`): memweave's store, which is only looked at."""
