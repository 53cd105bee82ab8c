// SPDX-License-Identifier: Apache-2.0
// cheat: own
// task: relu
// stage: compile
// expect: COMPILE_ERROR
// because: \x9b
// U+009B moves a cursor as ESC [ does, U+202E turns the text around: neither is a control character of ASCII.
#define WORDS "2J‮SSAP⁦​ ﻿"
#error see WORDS 2J‮SSAP⁦​ ﻿
