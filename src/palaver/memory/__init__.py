"""What was learned: typed memories, each with the words it stands on, under the owner's control."""
