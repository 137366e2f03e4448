"""The energy of a molecule of hydrogen, GPAW."""

from ase import Atoms
from gpaw import GPAW

molecule = Atoms('H2', positions=[(0, 0, 0), (0, 0, 0.74)])
molecule.center(vacuum=3.0)
molecule.calc = GPAW(mode='fd', h=0.25, xc='LDA', txt=None, maxiter=60)
energy = molecule.get_potential_energy()
if molecule.calc.wfs.world.rank == 0:
    print(f'energy {energy:.6f} eV')
