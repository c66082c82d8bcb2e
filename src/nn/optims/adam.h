/* SPDX-License-Identifier: MIT */
/* adam.h - what Adam and AdamW share. Private. */
#ifndef QS_NN_OPTIMS_ADAM_H
#define QS_NN_OPTIMS_ADAM_H

#include "nn/optim.h"

#define QS_ADAM_ATTRS                                                                              \
    QS_NUMBER_ATTR("beta_1", "0.9", 0, QS_BELOW_1, "decay of the mean gradient"),                  \
        QS_NUMBER_ATTR("beta_2", "0.999", 0, QS_BELOW_1, "decay of the mean square"),              \
        QS_NUMBER_ATTR("epsilon", "1e-7", 0, 1, "added to the uncorrected root"),                  \
        QS_BOOL_ATTR("amsgrad", "false", "divide by the largest mean square so far")

extern const qs_optim_form qs_adam_forms[];
int qs_adam_pick(const qs_spec *spec);
void qs_adam_prepare(const qs_spec *spec, const qs_optim_now *now, float *c);

#endif
