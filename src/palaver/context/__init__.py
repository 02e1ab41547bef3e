"""What the model sees: tokens are counted, history is cut to a budget, and a packet is made of it.

Here belong the sections of a packet, what each may cost, and how text is shown to a model. What is
in a section comes from lower rooms, or through a port of this one.
"""
