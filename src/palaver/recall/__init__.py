"""Finding it again: from a question in words and dates to dated results with snippets.

Here belong the words of a query, time windows, ranking, grouping, snippets and search cursors.
Nothing here knows SQL, and nothing here knows who asks.
"""
