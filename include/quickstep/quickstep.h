/* SPDX-License-Identifier: MIT */
/** @file quickstep.h  Everything: train small and mid-size neural networks fast. */
#ifndef QUICKSTEP_QUICKSTEP_H
#define QUICKSTEP_QUICKSTEP_H

#include "quickstep/data.h"
#include "quickstep/device.h"
#include "quickstep/model.h"
#include "quickstep/status.h"
#include "quickstep/train.h"

#define QS_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

QS_API const char *qs_version(void); /**< of the library in use, which may differ from QS_VERSION */

#ifdef __cplusplus
}
#endif
#endif
