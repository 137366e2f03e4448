/* Activations of functions, their loops and calls: these begin and end. For timing_events.c: code that runs in events.
 */
#pragma once

#include "timing_hidden.h"

IN_EVENT static HieraTimedRun *run_of(HieraTimedThread *thread, const HieraTimedFrame *frame, uint32_t loop)
{
    return &thread->runs[frame->first_run + (loop - frame->loops.loop)];
}

IN_EVENT static void end_loop(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t loop, int64_t now)
{
    HieraTimedRun *run = run_of(thread, frame, loop);
    HieraTimedPace *pace = &thread->paces[loop];
    HieraTimedSum *sum = &thread->loops[loop];
    if (!run->is_running)
        return;
    run->is_running = false;
    take_counts(thread, loop);
    Took took = {now - run->start,           frame->callees - run->callees,       run->weight,
                 thread->vague - run->vague, frame->call_doubt - run->call_doubt, frame->call_spread - run->call_spread,
                 frame->calls - run->calls};
    int64_t apart = took.time - pace->mean;
    uint64_t iterations = sum->iterations - run->iterations, scale = frame->weight;
    if (scale == 0) {
        *down_of(loop) = pace->gap = next_down(thread, loop);
        return;
    }
    uint32_t weight = run->weight * frame->weight;
    int64_t turns = (int64_t)(iterations / scale) * HIERA_TIMED_FINE - pace->fine;
    took.weight = note_one(thread, pace, took.time, iterations / scale, weight);
    add(sum, &took, run->is_inner);
    if (run->weight > 1 && !run->is_inner)
        add_spread(&sum->spread, &sum->doubt, apart, weight, took.weight != weight, UINT64_MAX);
    if (run->unseen > 0)
        add_spread(&sum->turn_spread, &sum->turn_doubt, turns, run->unseen + scale, false, UINT64_MAX);
    pace->fine += turns / 8;
    sum->iterations += iterations / scale * run->unseen;
    sum->unseen -= run->unseen;
    sum->estimated += run->unseen;
    if (!run->is_inner)
        *down_of(loop) = pace->gap = next_down(thread, loop);
    pace->at = thread->activations[frame->function].at + (frame->is_inner ? 0 : (now - frame->start) * frame->weight);
}

/* A call stands for some that were before the activation began, and some at its end have none that stands for them. In
 * all activations that is even; one that stands for many may be wrong by it. */
IN_EVENT static void doubt_edge(HieraTimedFrame *frame, int64_t ticks)
{
    uint64_t edge = ticks > 0 ? (uint64_t)ticks * frame->call_weight : 0;
    if (frame->weight <= 1 || edge <= frame->edge)
        return;
    frame->call_doubt += edge - frame->edge;
    frame->edge = edge;
}

IN_EVENT static void end_call(HieraTimedThread *thread, HieraTimedFrame *frame, int64_t now)
{
    HieraTimedPace *pace = &thread->calls[frame->site];
    if (frame->call_weight == 0)
        return;
    int64_t ticks = now - frame->call, others = frame->call_weight - 1, apart = ticks - pace->mean;
    uint64_t lap = (uint64_t)(ticks < 0 ? 0 : ticks < hiera_timed_costs.lap ? ticks : hiera_timed_costs.lap);
    bool is_one_of_all = note_one(thread, pace, ticks, 0, frame->call_weight) == frame->call_weight;
    frame->callees += ticks + others * (is_one_of_all ? ticks : pace->mean);
    add_times(&frame->call_doubt, lap + thread->vague - frame->call_vague, frame->call_weight);
    if (is_one_of_all)
        doubt_edge(frame, ticks);
    if (others > 0)
        add_spread(&frame->call_spread, &frame->call_doubt, apart, frame->call_weight, !is_one_of_all, UINT64_MAX);
    thread->quiet += frame->call_weight * hiera_timed_costs.quiet;
    frame->calls += frame->call_weight;
    frame->call_weight = 0;
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++)
        take_counts(thread, i); /* who looks from another thread sees no more than what was added */
    pace->gap = next_gap(thread, pace,
                         hiera_timed_costs.kinds[HIERA_PLAN_CALL] + hiera_timed_costs.kinds[HIERA_PLAN_BACK], GAP_MAX);
    hiera_timed_locals.calls[frame->site] = thread->times_calls[frame->function] ? ALWAYS : pace->gap;
}

/* A call begins. In recursion the thread does not count down: a call that is timed is inside another one. */
IN_EVENT static void begin_call(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t site, int64_t now)
{
    bool is_due = hiera_timed_locals.calls[site] == 0 && thread->calls[site].gap > 0;
    frame->site = site;
    frame->call = now;
    frame->call_vague = thread->vague;
    frame->call_weight = is_due ? (uint32_t)thread->calls[site].gap : 1;
}

/* An activation and its loops stand for a number of executions of the function; 0: they do not count. */
IN_EVENT static void stand_for(HieraTimedThread *thread, HieraTimedFrame *frame, uint32_t weight)
{
    frame->weight = weight;
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++)
        thread->paces[i].scale = weight;
}

/* Time all executions of loops, and all calls, of a function that calls itself: only so it is known what is inside
 * what. */
IN_EVENT static void time_all(HieraTimedThread *thread, const HieraTimedFrame *frame)
{
    if (meet(&thread->recursive[frame->function]))
        return;
    thread->activations[frame->function].warm = 0;
    time_calls(thread, frame->function);
    doubt_all(&thread->functions[frame->function]);
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++)
        take_counts(thread, i);
    for (HieraTimedFrame *outer = thread->frames; outer < frame; outer++)
        if (outer->function == frame->function)
            stand_for(thread, outer, 1);
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++) {
        thread->paces[i].is_full = true;
        if (thread->paces[i].gap > 1 || thread->paces[i].gap < 0)
            *down_of(i) = thread->paces[i].gap = 1;
    }
}

/* An activation is the innermost one again. */
IN_EVENT static void claim_all(HieraTimedThread *thread, const HieraTimedFrame *frame)
{
    for (uint32_t i = 0; i < frame->loops.n_loops; i++)
        claim(thread, frame->loops.loop + i, thread->runs[frame->first_run + i].is_running);
}

/* Find for how many calls an activation stands that begins. Until it ends, all calls are timed: one may be inside it.
 */
IN_EVENT static void open_gate(HieraTimedThread *thread, HieraTimedFrame *frame)
{
    HieraTimedPace *pace = &thread->activations[frame->function];
    take_calls(thread, frame->function);
    if (pace->since == thread->hidden[frame->function].known) { /* there is no gate */
        pace->since++;
        thread->functions[frame->function].executions++;
    }
    if (!frame->is_inner)
        note_hidden(thread, frame->function, pace->since - thread->hidden[frame->function].known - 1, frame->start);
    if (pace->warm > 0)
        pace->warm--;
    else if (pace->since > 1 && !frame->is_inner)
        pace->warm = WARM_UPS;
    stand_for(thread, frame, frame->is_inner ? 1 : pace->warm > 0 ? 0 : pace->since);
    if (frame->weight > 0)
        pace->since = 0;
    thread->hidden[frame->function].known = pace->since;
    set_gate(thread, frame->function, 0);
}

IN_EVENT static void begin_function(HieraTimedThread *thread, uint32_t function, uintptr_t stack, int64_t now)
{
    HieraTimedFunction loops = loops_of(function);
    if (thread->n_over > 0 || thread->n_frames == HIERA_TIMED_FRAMES ||
        thread->n_runs + loops.n_loops > HIERA_TIMED_RUNNING) {
        thread->over = thread->n_over++ == 0 ? stack : thread->over;
        thread->lost++;
        return;
    }
    HieraTimedFrame *frame = &thread->frames[thread->n_frames];
    frame->stack = stack;
    frame->function = function;
    frame->first_run = thread->n_runs;
    frame->loops = loops;
    frame->callees = 0;
    frame->call_weight = 0;
    frame->spent = thread->spent;
    frame->quiet = thread->quiet;
    frame->vague = thread->vague;
    frame->call_doubt = frame->call_spread = frame->calls = frame->edge = 0;
    frame->is_inner = thread->depths[function]++ > 0;
    for (int i = 0; i < HIERA_PLAN_STARTS; i++)
        frame->starts[i] = hiera_timed_locals.starts[i];
    for (uint32_t i = 0; i < loops.n_loops; i++) {
        const HieraTimedSum *sum = &thread->loops[loops.loop + i];
        HieraTimedRun *run = &thread->runs[thread->n_runs++];
        run->is_running = false;
        run->before = (HieraTimedPart){sum->total, sum->total - sum->own, 0};
        run->timed_before = sum->timed;
        claim(thread, loops.loop + i, false);
        if (!frame->is_inner)
            forget_counts(thread, loops.loop + i);
        run->executions_before = sum->executions;
        run->iterations_before = sum->iterations;
    }
    if (frame->is_inner)
        time_all(thread, frame);
    frame->start = now;
    open_gate(thread, frame);
    look_at_clocks(thread);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* a frame that counts is whole: see leave_event() */
    thread->n_frames++;
}

/* Remove the innermost activation of a function from the thread's stack of activations. */
IN_EVENT static void drop(HieraTimedThread *thread)
{
    if (thread->n_frames == 0) /* a signal has interrupted this and ended all, which its handler had left */
        return;
    const HieraTimedFrame *frame = &thread->frames[--thread->n_frames];
    thread->n_runs = frame->first_run;
    thread->depths[frame->function] -= thread->depths[frame->function] > 0;
    for (int i = 0; i < HIERA_PLAN_STARTS; i++)
        hiera_timed_locals.starts[i] = frame->starts[i];
    if (thread->n_frames > 0 && frame->function != frame[-1].function)
        claim_all(thread, &frame[-1]);
}

/* HIERA_TIMED_FINE times the iterations that a loop had in an activation: as many as usual, where they are not counted.
 */
IN_EVENT static int64_t turns_of(const HieraTimedThread *thread, const HieraTimedFrame *frame, uint32_t i)
{
    const HieraTimedRun *run = &thread->runs[frame->first_run + i];
    const HieraTimedSum *loop = &thread->loops[frame->loops.loop + i];
    if (loop->estimated > 0)
        return (int64_t)((loop->executions - run->executions_before) / frame->weight) *
               thread->paces[frame->loops.loop + i].fine;
    return (int64_t)((loop->iterations - run->iterations_before) / frame->weight * HIERA_TIMED_FINE);
}

/* Add what an activation took, and what its loops took in it. One that does not count is followed by one that is timed,
 * too. */
IN_EVENT static void add_activation(HieraTimedThread *thread, const HieraTimedFrame *frame, int64_t now)
{
    HieraTimedPace *pace = &thread->activations[frame->function];
    HieraTimedSum *sum = &thread->functions[frame->function];
    Took took = {now - frame->start, frame->callees,     frame->weight, thread->vague - frame->vague,
                 frame->call_doubt,  frame->call_spread, frame->calls};
    int64_t cost = hiera_timed_costs.kinds[HIERA_PLAN_FUNCTION_IN] + thread->spent - frame->spent +
                   (thread->quiet - frame->quiet) / HIERA_TIMED_FINE;
    pace->cost += frame->is_inner ? 0 : cost;
    if (!frame->is_inner) {
        thread->hidden[frame->function].until = now;
        thread->hidden[frame->function].may_go_on = false;
        thread->hidden[frame->function].room += took.time;
    }
    if (frame->weight == 0) {
        int64_t away = took.time > LONG ? away_of(thread, took.time) : 0;
        if (took.time > LONG)
            add_hidden(&thread->hidden[frame->function], took.time - pace->mean - (away > 0 ? away : 0));
        return;
    }
    int64_t usual = pace->mean, *span = &thread->hidden[frame->function].span;
    bool is_odd = note_one(thread, pace, took.time, (uint64_t)cost, frame->weight) != frame->weight;
    took.weight = is_odd ? 1 : frame->weight;
    add(sum, &took, frame->is_inner);
    if (frame->is_inner)
        return;
    pace->at += took.time * took.weight;
    forget_cases(thread, frame);
    settle_part(pace, sum, (HieraTimedPart){took.time, took.callees, 0}, frame->weight, is_odd, (uint64_t)*span);
    for (uint32_t i = 0; i < frame->loops.n_loops; i++) {
        const HieraTimedRun *run = &thread->runs[frame->first_run + i];
        HieraTimedSum *loop = &thread->loops[frame->loops.loop + i];
        HieraTimedPart part = {(loop->total - run->before.time) / frame->weight,
                               (loop->total - loop->own - run->before.callees) / frame->weight,
                               turns_of(thread, frame, i)};
        settle_part(&thread->paces[frame->loops.loop + i], loop, part, frame->weight, is_odd, (uint64_t)*span);
        if (is_odd) /* what it has counted counts as its time does */
            loop->iterations -= (loop->iterations - run->iterations_before) / frame->weight * (frame->weight - 1);
        if (loop->timed == run->timed_before && loop->executions > run->executions_before)
            doubt_loop(thread, frame, frame->loops.loop + i, took.time - 2 * usual);
    }
    *span = 0;
    set_gate(thread, frame->function, is_odd ? 0 : next_gate(thread, frame->function));
}

IN_EVENT static void end_function(HieraTimedThread *thread, HieraTimedFrame *frame, int64_t now)
{
    end_call(thread, frame, now);
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++) {
        end_loop(thread, frame, i, now);
        take_counts(thread, i);
    }
    add_activation(thread, frame, now);
    drop(thread);
}

/* Whether a loop of an activation is being executed in an outer activation of the same function, too. */
IN_EVENT static bool is_outside(HieraTimedThread *thread, const HieraTimedFrame *inner, uint32_t loop)
{
    for (const HieraTimedFrame *frame = thread->frames; frame < inner; frame++)
        if (frame->function == inner->function && loop - frame->loops.loop < frame->loops.n_loops &&
            run_of(thread, frame, loop)->is_running)
            return true;
    return false;
}

/* Whether an execution that begins is to be timed. One of kind HIERA_PLAN_LOOP_DUE has been counted. */
IN_EVENT static bool is_due(HieraTimedThread *thread, HieraPlanEvent kind, uint32_t loop, bool is_running)
{
    if (kind == HIERA_PLAN_LOOP_HERE) {
        thread->paces[loop].is_full = true;
        if (is_running)
            return false;
    }
    int32_t *down = down_of(loop), before = *down;
    if (kind != HIERA_PLAN_LOOP_DUE)
        *down = (int32_t)((uint32_t)before - 1);
    return kind == HIERA_PLAN_LOOP_DUE || before <= 1;
}

IN_EVENT static void begin_loop(HieraTimedThread *thread, HieraTimedFrame *frame, HieraPlanEvent kind, uint32_t loop,
                                int64_t now)
{
    HieraTimedRun *run = run_of(thread, frame, loop);
    HieraTimedPace *pace = &thread->paces[loop];
    if (!is_due(thread, kind, loop, run->is_running) || run->is_running)
        return;
    bool is_seen = pace->gap >= 0;
    take_counts(thread, loop);
    if (!is_seen && pace->unseen >= frame->weight) { /* this one is counted */
        pace->unseen -= frame->weight;
        thread->loops[loop].unseen -= frame->weight;
    }
    if (*down_of(loop) > 0)
        *down_of(loop) = pace->gap = 0;
    run->is_running = true;
    run->weight = pace->since > 0 ? pace->since : 1;
    run->unseen = pace->unseen;
    pace->since = pace->unseen = 0;
    run->callees = frame->callees;
    run->vague = thread->vague;
    run->call_doubt = frame->call_doubt;
    run->call_spread = frame->call_spread;
    run->calls = frame->calls;
    run->iterations = thread->loops[loop].iterations;
    run->is_inner = frame->is_inner && is_outside(thread, frame, loop);
    run->start = now;
}

/* A longjmp has left an activation at a call that was only counted, so nobody knows when. */
IN_EVENT static void doubt(HieraTimedThread *thread, const HieraTimedFrame *frame, int64_t now)
{
    add_times(&thread->functions[frame->function].doubt, (uint64_t)(now - frame->start), frame->weight);
    for (uint32_t i = 0; i < frame->loops.n_loops; i++)
        if (thread->runs[frame->first_run + i].is_running)
            add_times(&thread->loops[frame->loops.loop + i].doubt,
                      (uint64_t)(now - thread->runs[frame->first_run + i].start), frame->weight);
    if (!thread->times_calls[frame->function])
        time_calls(thread, frame->function);
}

/* A longjmp has left an activation, at a time. Iterations that are counted as an execution ends are not known of those
 * that had not: they count as many as usual, or so many more as have time, two in a tick. */
IN_EVENT static void doubt_turns(HieraTimedThread *thread, const HieraTimedFrame *frame, int64_t now)
{
    for (uint32_t i = 0; i < frame->loops.n_loops; i++) {
        uint32_t number = frame->loops.loop + i, step = hiera_timed_loops[number].step;
        const HieraTimedRun *run = &thread->runs[frame->first_run + i];
        HieraTimedSum *loop = &thread->loops[number];
        take_counts(thread, number);
        bool is_hidden = !thread->paces[number].is_full && loop->executions != run->executions_before;
        if (step == 0 || (!run->is_running && !is_hidden))
            continue;
        int64_t time = now - (run->is_running ? run->start : frame->start);
        loop->unseen += frame->weight;
        add_times(&loop->turn_doubt, time > 0 ? 2 * (uint64_t)time * step * HIERA_TIMED_FINE : 0, frame->weight);
    }
}

/* End activations that a longjmp has left: they are further in than `stack`. The innermost one ends at its last call,
 * which led to the longjmp. */
IN_EVENT static void end_left(HieraTimedThread *thread, uintptr_t stack, int64_t now)
{
    if (thread->n_over > 0 && thread->over < stack)
        thread->n_over = 0;
    for (bool is_first = true; thread->n_frames > 0 && thread->frames[thread->n_frames - 1].stack < stack;
         is_first = false) {
        HieraTimedFrame *frame = &thread->frames[thread->n_frames - 1];
        meet(&thread->has_left);
        if (is_first && frame->call_weight == 0)
            doubt(thread, frame, now);
        now = is_first && frame->call_weight > 0 ? frame->call : now;
        doubt_turns(thread, frame, now);
        end_function(thread, frame, now);
    }
}
