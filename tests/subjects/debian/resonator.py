"""A pulse in a dielectric ring, Meep."""

import meep

simulation = meep.Simulation(
    cell_size=meep.Vector3(12, 12),
    geometry=[meep.Cylinder(radius=2, material=meep.Medium(epsilon=11.6)), meep.Cylinder(radius=1)],
    sources=[meep.Source(meep.GaussianSource(0.15, fwidth=0.1), component=meep.Ez, center=meep.Vector3(1.1))],
    resolution=10, boundary_layers=[meep.PML(2)])
simulation.run(until=60)
print('field', round(simulation.get_field_point(meep.Ez, meep.Vector3(1.1)).real, 8))
