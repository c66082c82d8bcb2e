"""Random models and ways to train them, made in Keras; a case is its seed."""
import dataclasses

import keras
import numpy as np

ACTIVATIONS = ["relu", "tanh", "sigmoid", "elu", "selu", "gelu", "silu", "softplus", "softsign",
               "leaky_relu", "hard_sigmoid", "relu6", "mish", "linear", "exponential"]


@dataclasses.dataclass
class Case:
    """How to make and train one model. Everything but the weights' start is in `seed`."""
    seed: int
    layers: list          # functions that make one layer each
    shape: tuple
    loss: object          # a function that makes it
    optimizer: object     # the same
    metrics: list
    weighted_metrics: list
    x: np.ndarray
    y: np.ndarray
    sample_weight: np.ndarray | None
    class_weight: dict | None
    validation_split: float
    batch: int
    epochs: int
    text: list = dataclasses.field(default_factory=list)

    def __str__(self):
        return "; ".join(self.text)


def regulariser(rng):
    amount = float(rng.choice([0.001, 0.01]))
    return [lambda: keras.regularizers.L1(amount), lambda: keras.regularizers.L2(amount),
            lambda: keras.regularizers.L1L2(amount, amount / 2)][rng.integers(3)]


def constraint(rng):
    return [lambda: keras.constraints.MaxNorm(1.5), keras.constraints.NonNeg,
            keras.constraints.UnitNorm, lambda: keras.constraints.MinMaxNorm(0.2, 1.2, 0.7)
            ][rng.integers(4)]


def dense_options(rng, text):
    options = {}
    for name, make in (("kernel_regularizer", regulariser), ("bias_regularizer", regulariser),
                       ("activity_regularizer", regulariser), ("kernel_constraint", constraint)):
        if rng.random() < 0.12:
            options[name] = make(rng)
            text.append(name)
    return options


def activation_layer(rng, text):
    makers = {
        "Activation": lambda name=str(rng.choice(ACTIVATIONS)): keras.layers.Activation(name),
        "ReLU": lambda: keras.layers.ReLU(max_value=4.0, negative_slope=0.1, threshold=0.05),
        "LeakyReLU": lambda: keras.layers.LeakyReLU(0.2),
        "ELU": lambda: keras.layers.ELU(0.8),
        "PReLU": lambda: keras.layers.PReLU(alpha_initializer="ones"),
    }
    kind = str(rng.choice(list(makers)))
    text.append(kind)
    return makers[kind]


def quiet_layer(rng, text):
    """One that only changes numbers a little, or not at all."""
    makers = {
        "BatchNormalization": lambda: keras.layers.BatchNormalization(momentum=0.9),
        "LayerNormalization": lambda: keras.layers.LayerNormalization(),
        "Dropout": lambda: keras.layers.Dropout(0.0),
        "GaussianNoise": lambda: keras.layers.GaussianNoise(0.0),
    }
    kind = str(rng.choice(list(makers)))
    text.append(kind)
    return makers[kind]


def hidden(rng, text):
    """A block of layers. A bias right before a normalisation has no gradient but rounding noise,
    which Adam turns into full steps; so something non-linear stands between the two."""
    units, options = int(rng.integers(2, 71)), dense_options(rng, text)
    use_bias = rng.random() < 0.85
    name = str(rng.choice(ACTIVATIONS[:-2]))
    separate = rng.random() < 0.3
    text.append(f"Dense {units}{'' if separate else ' ' + name}{'' if use_bias else ' no bias'}")
    made = [lambda: keras.layers.Dense(units, use_bias=use_bias,
                                       activation=None if separate else name,
                                       **{key: make() for key, make in options.items()})]
    if separate:
        made.append(activation_layer(rng, text))
    if rng.random() < 0.35:
        made.append(quiet_layer(rng, text))
    return made


def inputs(rng, rows, text):
    """(sample shape, x, first layers)"""
    if rng.random() < 0.7:
        shape = (int(rng.integers(3, 60)),)
        return shape, rng.normal(size=(rows, *shape)).astype("float32"), []
    shape = tuple(int(n) for n in rng.integers(3, 9, 2))
    x = rng.integers(0, 256, (rows, *shape)).astype("float32")
    text.append(f"Rescaling and Flatten of {shape}")
    return shape, x, [lambda: keras.layers.Rescaling(1 / 64, offset=-2.0), keras.layers.Flatten]


def classification(rng, hidden_part, text):
    """Targets of one of several classes, as one-hot or as integers, from softmax or logits."""
    classes = int(rng.integers(3, 11))
    label = (hidden_part.argmax(1) if hidden_part.shape[1] >= classes else
             (np.abs(hidden_part.sum(1)) * 3).astype(int)) % classes
    logits, sparse = rng.random() < 0.35, rng.random() < 0.4
    smoothing = 0.0 if sparse else float(rng.choice([0.0, 0.1]))
    last = lambda: keras.layers.Dense(classes, activation=None if logits else "softmax")
    text.append(f"{classes} classes{' sparse' if sparse else ''}{' logits' if logits else ''}"
                f" smoothing {smoothing}")
    if sparse:
        return (label.astype("int32"), last,
                lambda: keras.losses.SparseCategoricalCrossentropy(from_logits=logits),
                ["accuracy"], label)
    return (np.eye(classes, dtype="float32")[label], last,
            lambda: keras.losses.CategoricalCrossentropy(from_logits=logits,
                                                         label_smoothing=smoothing),
            [["accuracy"], ["accuracy", "top_k_categorical_accuracy"],
             [lambda: keras.metrics.TopKCategoricalAccuracy(2, name="top_2")]][rng.integers(3)],
            label)


def binary(rng, hidden_part, text):
    outputs = int(rng.choice([1, 1, 4]))
    y = (hidden_part[:, :1] + 0.3 * rng.normal(size=(len(hidden_part), outputs)) > 0)
    kind = str(rng.choice(["sigmoid", "logits", "hinge"]))
    text.append(f"{outputs} binary {kind}")
    makers = {"sigmoid": keras.losses.BinaryCrossentropy,
              "logits": lambda: keras.losses.BinaryCrossentropy(from_logits=True),
              "hinge": keras.losses.Hinge}
    last = {"sigmoid": "sigmoid", "logits": None, "hinge": "tanh"}[kind]
    metrics = ["binary_accuracy"] if kind == "sigmoid" else []
    return (y.astype("float32"), lambda: keras.layers.Dense(outputs, activation=last),
            makers[kind], metrics, None)


def regression(rng, hidden_part, text):
    outputs = int(rng.integers(1, 5))
    y = hidden_part[:, :1] - 0.5 * hidden_part[:, -1:] + 0.1 * rng.normal(
        size=(len(hidden_part), outputs))
    kind = str(rng.choice(["mse", "mae", "huber", "poisson", "logcosh", "msle"]))
    if kind in ("poisson", "msle"):
        y = np.round(np.abs(y) * 2)
    makers = {"mse": "mean_squared_error", "mae": "mean_absolute_error", "huber": "huber",
              "poisson": "poisson", "logcosh": "mean_squared_error",
              "msle": "mean_squared_error"}
    last = "softplus" if kind in ("poisson", "msle") else None
    text.append(f"{outputs} outputs {makers[kind]}")
    return (y.astype("float32"), lambda: keras.layers.Dense(outputs, activation=last),
            lambda: makers[kind], [["mae", "mse"], ["mae"], []][rng.integers(3)], None)


def schedule(rng, rate):
    made = keras.optimizers.schedules
    return [lambda: made.ExponentialDecay(rate, 5, 0.8),
            lambda: made.ExponentialDecay(rate, 7, 0.5, staircase=True),
            lambda: made.CosineDecay(rate, 12, alpha=0.1),
            lambda: made.CosineDecay(0.0, 12, warmup_target=rate, warmup_steps=4),
            lambda: made.PolynomialDecay(rate, 10, rate / 10, power=1.5),
            lambda: made.InverseTimeDecay(rate, 5, 0.5),
            lambda: made.PiecewiseConstantDecay([4, 9], [rate, rate / 3, rate / 10]),
            ][rng.integers(7)]


def optimizer(rng, text):
    kinds = {
        "SGD": (0.05, [{}, {"momentum": 0.9}, {"momentum": 0.8, "nesterov": True}]),
        "RMSprop": (0.003, [{"epsilon": 1e-3}, {"rho": 0.8, "momentum": 0.5, "epsilon": 1e-3},
                            {"centered": True, "epsilon": 1e-2}]),
        "Adagrad": (0.05, [{}, {"initial_accumulator_value": 0.3}]),
        "Adadelta": (0.5, [{}, {"rho": 0.9}]),
        "Adam": (0.003, [{}, {"amsgrad": True}, {"beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-3}]),
        "AdamW": (0.003, [{}, {"weight_decay": 0.05}]),
        "Adamax": (0.01, [{}]),
        "Nadam": (0.003, [{}, {"epsilon": 1e-3}, {"beta_1": 0.7}]),
    }
    kind = str(rng.choice(list(kinds)))
    rate, choices = kinds[kind]
    options = dict(choices[rng.integers(len(choices))])
    if rng.random() < 0.3:
        options[str(rng.choice(["clipnorm", "clipvalue", "global_clipnorm"]))] = \
            float(rng.choice([0.05, 0.5]))
    if kind != "AdamW" and rng.random() < 0.15:
        options["weight_decay"] = 0.01
    text.append(f"{kind} {options}")
    rate_of = lambda: rate
    if rng.random() < 0.3:
        rate_of = schedule(rng, rate)
        text.append(type(rate_of()).__name__)
    return lambda: getattr(keras.optimizers, kind)(learning_rate=rate_of(), **options)


def weighting(rng, rows, label, text):
    """(sample_weight, class_weight, validation_split); at most one of the first two."""
    kind = str(rng.choice(["none", "none", "sample", "class", "split"]))
    if kind == "sample":
        text.append("sample weights")
        return rng.uniform(0, 2, rows).astype("float32"), None, 0.0
    if kind == "class" and label is not None:
        text.append("class weights")
        return None, {0: 0.5, 2: 2.5}, 0.0
    if kind == "split":
        text.append("validation split")
        return None, None, float(rng.choice([0.1, 0.25, 0.3]))
    return None, None, 0.0


def make_case(seed):
    rng = np.random.default_rng(seed)
    text = [f"seed {seed}"]
    rows, batch = int(rng.integers(40, 161)), int(rng.choice([1, 8, 13, 16, 32, 50, 64, 200]))
    rows = min(rows, 12 * batch)
    shape, x, layers = inputs(rng, rows, text)
    for _ in range(rng.integers(1, 4)):
        layers += hidden(rng, text)
    part = x.reshape(rows, -1)
    part = np.tanh((part - part.mean()) / part.std() @ rng.normal(size=(part.shape[1], 12)))
    target = [classification, classification, binary, regression][rng.integers(4)]
    y, last, loss, metrics, label = target(rng, part, text)
    sample_weight, class_weight, split = weighting(rng, rows, label, text)
    weighted = ["mae"] if target is regression and sample_weight is not None else []
    text.append(f"{rows} rows, batch {batch}")
    return Case(seed, layers + [last], shape, loss, optimizer(rng, text), metrics, weighted, x, y,
                sample_weight, class_weight, split, batch, int(rng.integers(2, 4)), text)


def build(case, floatx="float32"):
    """The model of a case, compiled; no weight is left at a constant, so that none goes unused."""
    keras.utils.clear_session()
    keras.config.set_floatx("float32")
    keras.utils.set_random_seed(case.seed)
    model = keras.Sequential([keras.Input(case.shape), *(make() for make in case.layers)])
    rng = np.random.default_rng(case.seed + 1)
    for weight in model.weights:
        value = keras.ops.convert_to_numpy(weight)
        if weight.name == "moving_variance":
            weight.assign(value + rng.uniform(0, 0.3, value.shape))
        elif weight.ndim == 1:
            weight.assign(value + 0.1 * rng.normal(size=value.shape))
    if floatx == "float64":
        keras.config.set_floatx("float64")
        twin = keras.models.model_from_json(model.to_json().replace("float32", "float64"))
        twin.set_weights([w.astype("float64") for w in model.get_weights()])
        model = twin
    rule = case.optimizer()
    if floatx == "float64":  # Keras rounds these to float32 even here
        for beta in {"beta_1", "beta_2"} & vars(rule).keys():
            setattr(rule, beta, np.float64(getattr(rule, beta)))
    made = [metric() if callable(metric) else metric for metric in case.metrics]
    if floatx == "float64":  # TensorFlow has no top-k in float64
        made = [metric for metric in made if "top" not in getattr(metric, "name", metric)]
    model.compile(loss=case.loss(), optimizer=rule, metrics=made,
                  weighted_metrics=case.weighted_metrics or None)
    return model
