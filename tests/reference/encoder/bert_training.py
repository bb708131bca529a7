"""Trains the encoder from where the static vectors are, all of its weights."""

import time

import numpy as np
import torch

from batches import Batches, ranking_loss, rate
from bert import Bert
from scores import dev_scores

BATCH = 64


def padded(texts, pieces):
    """ids between [CLS] and [SEP], and a mask of what is no padding."""
    ids = torch.full((len(texts), max(map(len, texts)) + 2), pieces.pad)
    mask = torch.zeros(ids.shape)
    for row, text in enumerate(texts):
        whole = torch.tensor([pieces.cls, *np.asarray(text).tolist(), pieces.sep])
        ids[row, : len(whole)] = whole
        mask[row, : len(whole)] = 1
    return ids, mask


@torch.no_grad()
def embed(model, pieces, positions, texts):
    model.eval()
    encoded = [pieces.encode(text, positions - 2) for text in texts]
    order = np.argsort([len(ids) for ids in encoded], kind="stable")
    vectors = [None] * len(texts)
    for start in range(0, len(order), BATCH):
        some = order[start : start + BATCH]
        rows = model(*padded([encoded[i] for i in some], pieces)).numpy()
        for i, row in zip(some, rows):
            vectors[i] = row
    return np.stack(vectors)


def groups(model, recipe):
    """The optimizer's parameter groups: rows of pieces move less than the layers, and do not decay."""
    vectors = model.embeddings.word_embeddings.weight
    others = [parameter for parameter in model.parameters() if parameter is not vectors]
    own = {"params": [vectors], "top": recipe.vector_rate, "weight_decay": 0}
    return own, {"params": others, "top": recipe.layer_rate, "weight_decay": recipe.decay}


def step_loss(model, batches, pieces, recipe):
    run = lambda texts: model(*padded(texts, pieces))
    left, right, against, numbers = batches.draw(recipe.bert_batch, recipe.bert_pieces)
    longest = max(map(len, left)) + max(map(len, right)) + 4
    count = min(len(left), recipe.bert_padded // longest)
    against = None if against is None else run(against[:count])
    sides = run(left[:count]), run(right[:count])
    return ranking_loss(*sides, against, numbers[:count], recipe.scale)


def train_bert(vectors, packed, labels, pieces, data, recipe):
    torch.manual_seed(recipe.seed)
    batches = Batches(packed, labels, recipe, 1)
    model = Bert(len(pieces), recipe)
    model.start_as_static(vectors, [pieces.cls, pieces.sep, pieces.pad])
    own, others = groups(model, recipe)
    optimizer = torch.optim.AdamW([own, others], lr=recipe.layer_rate, betas=(0.9, 0.98), eps=1e-8)
    measure = lambda: dev_scores(lambda texts: embed(model, pieces, recipe.positions, texts), data)
    print("encoder, at the start:", measure(), flush=True)
    begun = time.time()
    for step in range(1, recipe.bert_steps + 1):
        model.train()
        for group in optimizer.param_groups:
            share = rate(step, recipe.bert_steps, recipe.warm_up, recipe.bert_lowest)
            group["lr"] = group["top"] * share
        loss = step_loss(model, batches, pieces, recipe)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(others["params"], 1.0)
        optimizer.step()
        if step % 200 == 0:
            print(f"encoder, step {step}, {time.time() - begun:.0f} s: {measure()}", flush=True)
    model.fill_untrained(recipe.bert_pieces + 2)
    print("encoder, at the end:", measure(), flush=True)
    return model.eval()
