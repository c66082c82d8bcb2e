"""Write schedule_table.h: what Keras' learning-rate schedules give. Run it with Keras installed and
put its output through clang-format."""
from keras.optimizers import schedules as S

CASES = [
("exponential_decay:initial_learning_rate=0.1,decay_steps=7,decay_rate=0.9", S.ExponentialDecay(0.1,7,0.9)),
("exponential_decay:initial_learning_rate=0.1,decay_steps=7,decay_rate=0.9,staircase=true", S.ExponentialDecay(0.1,7,0.9,staircase=True)),
("inverse_time_decay:initial_learning_rate=0.2,decay_steps=10,decay_rate=0.5", S.InverseTimeDecay(0.2,10,0.5)),
("inverse_time_decay:initial_learning_rate=0.2,decay_steps=10,decay_rate=0.5,staircase=true", S.InverseTimeDecay(0.2,10,0.5,staircase=True)),
("cosine_decay:initial_learning_rate=0.3,decay_steps=40", S.CosineDecay(0.3,40)),
("cosine_decay:initial_learning_rate=0.3,decay_steps=40,alpha=0.1", S.CosineDecay(0.3,40,alpha=0.1)),
("cosine_decay:initial_learning_rate=0.01,decay_steps=40,alpha=0.1,warmup_target=0.3,warmup_steps=12", S.CosineDecay(0.01,40,alpha=0.1,warmup_target=0.3,warmup_steps=12)),
("cosine_decay:initial_learning_rate=0.3,decay_steps=40,warmup_steps=12", S.CosineDecay(0.3,40,warmup_steps=12)),
("cosine_decay_restarts:initial_learning_rate=0.1,first_decay_steps=10", S.CosineDecayRestarts(0.1,10)),
("cosine_decay_restarts:initial_learning_rate=0.1,first_decay_steps=10,t_mul=1.5,m_mul=0.7,alpha=0.05", S.CosineDecayRestarts(0.1,10,t_mul=1.5,m_mul=0.7,alpha=0.05)),
("cosine_decay_restarts:initial_learning_rate=0.1,first_decay_steps=10,t_mul=1,m_mul=0.5", S.CosineDecayRestarts(0.1,10,t_mul=1.0,m_mul=0.5)),
("polynomial_decay:initial_learning_rate=0.1,decay_steps=30", S.PolynomialDecay(0.1,30)),
("polynomial_decay:initial_learning_rate=0.1,decay_steps=30,end_learning_rate=0.01,power=2", S.PolynomialDecay(0.1,30,0.01,power=2.0)),
("polynomial_decay:initial_learning_rate=0.1,decay_steps=20,end_learning_rate=0.01,power=0.5,cycle=true", S.PolynomialDecay(0.1,20,0.01,power=0.5,cycle=True)),
("piecewise_constant_decay:boundaries=[10,30],values=[0.02,0.005,0.001]", S.PiecewiseConstantDecay([10,30],[0.02,0.005,0.001])),
]
STEPS = [0,1,5,6,7,9,10,11,12,13,14,20,21,25,29,30,31,39,40,41,52,53,60,70,100]
print('/* SPDX-License-Identifier: MIT */')
print('/* schedule_table.h - rates of Keras 3.15.1 on TensorFlow 2.21, in float32; made by')
print(' * tests/unit/nn/schedule_table.py. */')
print('static const unsigned schedule_steps[] = {'+', '.join(map(str, STEPS))+'};\n')
print('static const struct schedule_row {\n    const char *text;\n    double rate[sizeof schedule_steps / sizeof *schedule_steps];\n} schedule_rows[] = {')
for t, s in CASES:
    print('{"%s",{%s}},' % (t, ', '.join('%.9g' % float(s(k)) for k in STEPS)))
print('};')
